import { loadScenario } from '../src/sim/scenario/load.ts';
import { formatProblem } from '../src/sim/scenario/problem.ts';
const show = (t: string, text: string, set: string[] = []) => {
  console.log('###', t);
  try {
    const r = loadScenario('f.yaml', text, set);
    console.log(r.ok ? 'ok' : r.problems.map(formatProblem).join('\n'));
    if (r.ok && set.length) console.log(JSON.stringify(r.loaded.source));
  } catch (e) { console.log('THROWN', e); }
};
const good = `name: a
operator: { profile: node-ipam }
networks:
  - { name: pods, range: 10.244.0.0/16, nodeMask: 24 }
steps:
  - scale: { to: 2 }
`;
show('good', good);
show('unresolved alias', good.replace('name: a', 'name: *foo'));
show('alias bomb', 'a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c]\n');
show('empty', '');
show('comment', '# hi\n');
show('list', '- a\n- b\n');
show('scalar', 'hello');
show('two docs', good + '---\n' + good);
show('syntax', good.replace('{ to: 2 }', '{ to: 2'));
show('dup key', good + 'name: b\n');
show('missing networks', good.replace(/networks:\n.*\n/, ''));
show('missing name', good.replace('name: a\n', ''));
show('null networks', good.replace(/networks:\n.*\n/, 'networks:\n'));
show('empty networks', good.replace(/networks:\n.*\n/, 'networks: []\n'));
show('empty steps', good.replace(/steps:\n.*\n/, 'steps: []\n'));
show('two keys', good + '    hold: { for: 1s }\n');
show('no key', good + '  - {}\n');
show('null step', good + '  -\n');
show('unknown kind', good + '  - scael: { to: 5 }\n');
show('hold without for', good + '  - hold: {}\n');
show('hold null', good + '  - hold:\n');
show('scale without to', good + '  - scale: {}\n');
show('restart without what', good + '  - restart: {}\n');
show('restart bad what', good + '  - restart: { what: daemons }\n');
show('bad unit', good + '  - hold: { for: 10 }\n  - hold: { for: 0s }\n  - hold: {for: 10sec}\n');
show('bad float', good + '  - scale: { to: 2.5 }\n  - scale: { to: -1 }\n  - scale: {to: "5"}\n  - scale: { to: 70000}\n');
show('cidr', good.replace('10.244.0.0/16', '10.244.0.0/33'));
show('mask', good.replace('nodeMask: 24', 'nodeMask: 8'));
show('mask2', good.replace('nodeMask: 24', 'nodeMask: 33'));
show('two v4', good.replace('steps:', '  - { name: b, range: 10.0.0.0/16, nodeMask: 24 }\nsteps:'));
show('bad threshold + dup name', good.replace('{ to: 2 }', '{ to: 2, name: x }\n  - hold: {for: 1s, name: x}') + 'expect: [ "max(cidr) <" , "max(foo) < 3s", "step(nope).max(cidr) < 3s"]\n');
show('bad network + dup', good.replace('10.244.0.0/16', 'foo').replace('{ to: 2 }', '{ to: 2, name: x }\n  - hold: {for: 1s, name: x}') + 'expect: [ "max(foo) < 3s"]\n');
show('bad settle + dup', good.replace('{ to: 2 }', '{ to: 2, name: x }\n  - hold: {for: 1s, name: x}') + 'settle: 5\nnmae: x\n');
show('bad name + dup', good.replace('name: a', 'name: A b').replace('{ to: 2 }', '{ to: 2, name: x }\n  - hold: {for: 1s, name: x}'));
show('unknown profile', good.replace('node-ipam', 'node-ipm'));
show('no operator', good.replace('operator: { profile: node-ipam }\n', ''));
show('operator scalar', good.replace('{ profile: node-ipam }', 'node-ipam'));
show('operator no profile', good.replace('{ profile: node-ipam }', '{}'));
show('opt', good.replace('{ profile: node-ipam }', '{ profile: node-ipam, leaderElct: true, controller: reference }'));
show('set ok', good, ['steps[0].scale.to=5', 'settle=1s', 'cluster.preset=unlimited', 'nodes.labels.a=b']);
show('set ok2', good, ['steps.0.scale.to=5']);
show('set whole', good, ['steps=[{hold: {for: 1s}}]']);
show('set far', good, ['steps[5].scale.to=5']);
show('set append', good, ['steps[1].scale.to=5']);
show('set bad path', good, ['name.foo=5']);
show('set no =', good, ['name']);
show('set =', good, ['=5']);
show('set bad yaml', good, ['name={']);
show('set bad value', good, ['steps[0].scale.to=many', 'foo=1']);
show('set alias', good, ['name=*a']);
show('set on empty', '', ['name=x']);
show('set name idx', good, ['steps.foo=1']);
show('quantity', good + 'nodes: { capacity: { cpu: -1, memory: 256Gib, pods: 0 }, labels: {a: 1} }\n');
show('during', good.replace('{ to: 2 }', '{ to: 2, during: [{ at: 3, restart: { what: controller } }] }'));
show('__proto__', good+ '__proto__: {a: 1}\n');
show('numkey', good+ '1: {a: 1}\n');
