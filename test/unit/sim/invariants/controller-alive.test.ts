import { expect } from 'chai';
import { controllerAlive } from '../../../../src/sim/invariants/controller-alive.ts';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';

describe('INV012, the controller is alive', () => {
  const ready = (): HistoryBuilder => HistoryBuilder.of(scenarioOf()).ready().at(5000);

  it('lets a step end the controller, and looks at every time it became ready', () => {
    const history = ready()
      .controller('stopping', { pid: 100, asked: true, how: 'SIGTERM' })
      .controller('exited', { pid: 100, asked: true, how: 'SIGTERM' })
      .controller('ready', { pid: 101 });
    expect(controllerAlive.check(history.result())).to.deep.equal({ status: 'held', checked: 2 });
  });

  it('takes an exit of which nobody says that it was asked for as unasked', () => {
    expect(controllerAlive.check(ready().controller('exited').result())).to.deep.include({
      status: 'broken',
      findings: [{ message: 'the controller exited unasked at 5.000 s', atMs: 5000, objects: [] }],
    });
  });

  it('says of each exit how it was, and which of how many', () => {
    const history = ready()
      .controller('exited', { pid: 100, asked: false, how: 'exit code 1' })
      .controller('started', { pid: 101 })
      .at(7000)
      .controller('exited', { pid: 101, asked: false });
    const verdict = controllerAlive.check(history.result());
    const findings = verdict.status === 'broken' ? verdict.findings : [];
    expect(findings.map(({ message }) => message)).to.deep.equal([
      'the controller exited unasked at 5.000 s (exit code 1), exit 1 of 2',
      'the controller exited unasked at 7.000 s, exit 2 of 2',
    ]);
  });

  it('is broken by an exit before the controller was ready, too', () => {
    const history = HistoryBuilder.of(scenarioOf()).controller('started').controller('exited');
    expect(controllerAlive.check(history.result()).status).to.equal('broken');
  });
});
