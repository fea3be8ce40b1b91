import { expect } from 'chai';
import { HistoryBuilder } from '../../../helpers/history-builder.ts';
import { scenarioOf } from '../../../helpers/planned-scenario.ts';
import { tableScenario } from '../../../helpers/table-profile.ts';

const differencesOf = (history: HistoryBuilder): readonly string[] =>
  history.result().snapshots.differences;

describe('a final list', () => {
  const two = (): HistoryBuilder => HistoryBuilder.of(scenarioOf()).node(1).node(2).serve(2);

  it('that equals the folded state shows no difference, and counts as compared', () => {
    const history = two().snapshot('nodes').snapshot('pods');
    expect(history.result().snapshots).to.deep.equal({ compared: 2, differences: [] });
  });

  it('shows an object that was never seen', () => {
    const history = two().snapshot('nodes', (objects) => [
      ...objects,
      { name: 'sim-9', uid: 'u', fields: {} },
    ]);
    expect(differencesOf(history)).to.deep.equal(['nodes/sim-9 exists but was never seen']);
  });

  it('shows an object whose end was never seen', () => {
    const history = two().snapshot('nodes', (objects) => objects.slice(1));
    expect(differencesOf(history)).to.deep.equal([
      'nodes/sim-1 is gone but its end was never seen',
    ]);
  });

  it('shows an object that was replaced unseen', () => {
    const history = two().snapshot('nodes', ([first, ...others]) => [
      { ...first!, uid: 'another' },
      ...others,
    ]);
    expect(differencesOf(history)).to.deep.equal(['nodes/sim-1 was replaced unseen']);
  });

  it('shows an object that differs, and an order of keys is no difference', () => {
    const history = two().snapshot('nodes', (objects) =>
      objects.map((object) => ({
        ...object,
        fields: Object.fromEntries(Object.entries(object.fields).toReversed()),
      })),
    );
    history.snapshot('nodes', ([first, ...others]) => [
      { ...first!, fields: { ...first!.fields, ready: 'False' } },
      ...others,
    ]);
    expect(differencesOf(history)).to.deep.equal(['nodes/sim-1 differs from what was seen last']);
  });

  describe('of a table', () => {
    const table = (): HistoryBuilder =>
      HistoryBuilder.ofTables(tableScenario()).object(
        'tables',
        { name: 't' },
        {
          fields: { network: 'net' },
          rows: {
            a: { node: 'sim-1', cidr: '10.0.0.0/24' },
            b: { node: 'sim-2', cidr: '10.0.1.0/24' },
          },
        },
      );

    it('shows no difference when the rows are the same', () => {
      expect(differencesOf(table().snapshot('tables'))).to.be.empty;
    });

    it('shows rows that differ, and rows that are missing altogether', () => {
      const history = table()
        .snapshot('tables', (objects) =>
          objects.map((object) => ({ ...object, rows: { a: { node: 'sim-1' } } })),
        )
        .snapshot('tables', (objects) =>
          objects.map(({ name, uid, fields }) => ({ name, uid, fields })),
        );
      const difference = 'the rows of tables/t differ from what was seen last';
      expect(differencesOf(history)).to.deep.equal([difference, difference]);
    });
  });

  it('tells objects of the same name in different namespaces apart', () => {
    const pod = { nodeName: null, hostNetwork: false, phase: 'Pending', hostIP: null, podIPs: [] };
    const history = HistoryBuilder.of(scenarioOf())
      .object('pods', { name: 'p', namespace: 'a' }, { fields: { ...pod, ready: false } })
      .object('pods', { name: 'p', namespace: 'b' }, { fields: { ...pod, ready: true } })
      .snapshot('pods');
    expect(differencesOf(history)).to.be.empty;
    history.snapshot('pods', ([first]) => [first!]);
    expect(differencesOf(history)).to.deep.equal(['pods/b/p is gone but its end was never seen']);
  });
});
