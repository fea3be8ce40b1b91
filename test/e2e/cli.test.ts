import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT, SimHome } from '../helpers/sim-process.ts';

const SIX_MISTAKES = `name: Six Mistakes
operator: { profile: node-ipam, leaderElect: maybe }
networks:
  - { name: pods, range: 10.244.0.0/33, nodeMask: 24 }
steps:
  - scale: { too: 5, to: 5 }
  - hold: { for: tomorrow }
expect:
  - max(cidr) << 3s
`;

const TOO_SMALL = `name: too-small
operator: { profile: node-ipam }
networks:
  - { name: pods, range: 10.244.0.0/24, nodeMask: 26 }
steps:
  - scale: { to: 5 }
`;

describe('the command line', function () {
  this.timeout(20_000);
  let home: SimHome;
  before(async () => {
    home = await SimHome.make();
    await writeFile(join(home.path, 'six.yaml'), SIX_MISTAKES);
    await writeFile(join(home.path, 'small.yaml'), TOO_SMALL);
  });
  after(() => home.remove());

  for (const command of ['validate', 'plan', 'run'])
    it(`sim ${command} prints all six mistakes of a scenario with their places, and exits with 2`, async () => {
      const { code, stderr } = await home.run([command, 'six.yaml']);
      expect(code).to.equal(2);
      const places = [...stderr.matchAll(/six\.yaml:(\d+):(\d+) (\S+):/g)].map(
        ([, line, column, path]) => `${line ?? ''}:${column ?? ''} ${path ?? ''}`,
      );
      expect(places).to.deep.equal([
        '1:7 name',
        '2:46 operator.leaderElect',
        '4:26 networks[0].range',
        '6:14 steps[0].scale.too',
        '7:18 steps[1].hold.for',
        '9:5 expect[0]',
      ]);
      expect(stderr).to.include('unknown key "too", did you mean "to"?');
    });

  it('refuses a range that cannot hold the nodes, with the arithmetic', async () => {
    for (const command of ['plan', 'run', 'validate']) {
      const { code, stderr } = await home.run([command, 'small.yaml']);
      expect(code).to.equal(2);
      expect(stderr).to.include('small.yaml:4:5 networks[0]: network "pods" is too small');
      expect(stderr).to.include(
        '10.244.0.0/24 (256 addresses) ÷ /26 (2^6 addresses) = 2^2 = 4 blocks; 1 block short',
      );
    }
  });

  it('takes a value from --set, and says so when that value is wrong', async () => {
    const good = await home.run(['validate', 'small.yaml', '--set', 'steps[0].scale.to=4']);
    expect(good.code, good.stderr).to.equal(0);
    const bad = await home.run(['validate', 'small.yaml', '--set', 'steps[0].scale.to=many']);
    expect(bad.code).to.equal(2);
    expect(bad.stderr).to.include(
      '--set steps[0].scale.to=many steps[0].scale.to: expected number',
    );
  });

  it('names the flag that was typed, and not the path that it stands for', async () => {
    const rows: readonly (readonly [readonly string[], string])[] = [
      [['--controller', './x'], '  --controller: expected cluster: node-ipam always tests'],
      [['--controller', 'reference'], '  --controller: expected cluster: node-ipam always tests'],
      [['--seed', 'abc'], '  --seed: expected an integer from 0 up, got "abc"'],
      [['--seed', '-1'], '  --seed: expected an integer from 0 up, got "-1"'],
      [
        ['--set', 'steps[9].scale.to=5'],
        '  --set steps[9].scale.to=5: steps has 2 entries (0 to 1); the next would be steps[2]',
      ],
    ];
    for (const [flags, line] of rows) {
      const { code, stderr } = await home.run(['plan', '2-nodes', ...flags]);
      expect(code).to.equal(2);
      expect(stderr.split('\n')).to.have.length(3);
      expect(stderr).to.include(`\n${line}`);
    }
  });

  it('takes a seed that is a number', async () => {
    const { stdout } = await home.run(['plan', '2-nodes', '--seed', '7']);
    expect(stdout.split('\n')[0]).to.match(/, seed 7$/);
  });

  it('validates several scenarios, and fails for one that has problems', async () => {
    const both = await home.run(['validate', '2-nodes', 'six.yaml', '10-nodes']);
    expect(both.code).to.equal(2);
    expect(both.stdout).to.match(/2-nodes\.yaml: valid, .*\n.*10-nodes\.yaml: valid, .*\n$/);
    expect(both.stderr).to.include('six.yaml has 6 problems');
    expect((await home.run(['validate', '2-nodes', '10-nodes'])).code).to.equal(0);
  });

  it('says of a directory that it is one, and which scenarios are in it', async () => {
    const { code, stderr } = await home.run(['plan', '.']);
    expect(code).to.equal(2);
    expect(stderr).to.include('. is a directory, expected the file of a scenario');
    expect(stderr).to.include('hint: in it: six.yaml, small.yaml');
  });

  it('says which controller a plan is for', async () => {
    const { stdout } = await home.run([
      'plan',
      '10-nodes',
      '--controller',
      './bin/manager',
      '--',
      '--leader-elect=true',
    ]);
    expect(stdout.split('\n')[1]).to.equal('controller: ./bin/manager --leader-elect=true');
  });

  it('prints the same plan as JSON', async () => {
    const { code, stdout } = await home.run(['plan', '2-nodes', '--json']);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.include({
      schema: 'sim.plan/1',
      scenario: '2-nodes',
      peakNodes: 2,
    });
  });

  it('recommends the scenario that was meant', async () => {
    const { code, stderr } = await home.run(['plan', '2-node']);
    expect(code).to.equal(2);
    expect(stderr).to.include('did you mean scenarios/2-nodes.yaml?');
  });

  const misuses: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no command', [], /SIM_USAGE name a command/],
    ['an unknown command', ['rum', '2-nodes'], /SIM_USAGE Did you mean run\?/],
    ['an unknown option', ['run', '2-nodes', '--ouput', 'x'], /SIM_USAGE Unknown argument: ouput/],
    [
      'an option with a slip of the pen',
      ['run', '2-nodes', '--kep-cluster'],
      /SIM_USAGE Unknown argument: kep-cluster\n {2}hint: did you mean --keep-cluster\?/,
    ],
    [
      'an argument of the controller before --',
      ['plan', '10-nodes', '--controller', './m', '--leader-elect'],
      /SIM_USAGE Unknown argument: leader-elect\n {2}hint: .*--controller \.\/m -- --leader-elect\n/,
    ],
    ['an option without its value', ['plan', '2-nodes', '--set'], /SIM_USAGE Not enough arguments/],
    ['a missing scenario', ['run'], /SIM_USAGE Not enough non-option arguments/],
    ['a seed that is no number', ['plan', '2-nodes', '--seed', 'x'], /seed/],
    [
      'an unknown runtime',
      ['run', '2-nodes', '--runtime', 'cloud'],
      /SIM_USAGE .*Choices: "kwokctl"/s,
    ],
    [
      'a recording that is not there',
      ['judge', 'nowhere'],
      /SIM_RECORDING there is no recording at nowhere/,
    ],
    [
      'a recording that is none',
      ['judge', 'six.yaml'],
      /SIM_RECORDING six\.yaml is no recording of sim: it does not begin with a header/,
    ],
  ];
  for (const [what, args, message] of misuses)
    it(`answers ${what} with exit code 2 and a message`, async () => {
      const { code, stderr } = await home.run(args);
      expect(code).to.equal(2);
      expect(stderr).to.match(message);
      expect(stderr).not.to.match(/ at .*\.js:\d+/);
    });

  it('explains itself when it was never built', async () => {
    const place = join(home.path, 'unbuilt', 'bin');
    await mkdir(place, { recursive: true });
    await copyFile(join(ROOT, 'bin', 'sim.js'), join(place, 'sim.js'));
    await writeFile(join(place, '..', 'package.json'), '{"type":"module"}');
    const run = promisify(execFile)(process.execPath, [join(place, 'sim.js'), 'doctor']);
    const error = (await run.catch((reason: unknown) => reason)) as {
      code: number;
      stderr: string;
    };
    expect(error.code).to.equal(2);
    expect(error.stderr).to.include('npm run build');
  });
});
