import { expect } from 'chai';
import { runMs } from '../../../../src/sim/base/units.ts';
import { CallFold } from '../../../../src/sim/ledger/call-fold.ts';
import { FactBook } from '../../../../src/sim/ledger/fact-book.ts';
import type { HistoryEntryOf } from '../../../../src/sim/model/history.ts';

type Call = HistoryEntryOf<'call'>;
type Detail = NonNullable<Call['detail']>;

const TABLE = { count: 3, digest: 77 };
const OLDER = { count: 9, digest: 1 };
const addl3 = (network = 'net', table = TABLE, version?: number): Detail => ({
  kind: 'addl3',
  network,
  force: true,
  routes: table.count,
  table,
  version,
});
const podDetail = (ip: string, { pod = 'a', nic = 'eth1' } = {}): Detail => ({
  kind: 'pod',
  pod,
  namespace: 'default',
  network: 'net',
  asked: [nic],
  granted: ip === '' ? [] : [{ interface: nic, ip }],
  omitted: [],
});

/** Daemons that are called, and what is then known of them. */
class Switchboard {
  readonly book = new FactBook([]);
  readonly fold = new CallFold(this.book);
  #seq = 0;

  call(path: string, detail: Detail | null, { status = 200, node = 'sim-1' } = {}): this {
    const at = this.#moment();
    this.fold.apply(
      {
        kind: 'call',
        ...at,
        node,
        method: 'POST',
        path,
        status,
        durationMs: 1,
        requestBytes: 0,
        replyBytes: 0,
        detail,
      },
      at,
    );
    return this;
  }

  forget(node = 'sim-1'): this {
    this.fold.forget(node, this.#moment());
    return this;
  }

  routes(node = 'sim-1'): readonly string[] {
    return this.book
      .of(node, 'routes')
      .map(({ network, count, digest }) => `${network} ${count} ${digest}`);
  }

  grants(node = 'sim-1'): readonly string[] {
    return this.book
      .of(node, 'grant')
      .map(({ owner, interface: nic, address }) => `${owner} ${nic} ${address}`);
  }

  #moment() {
    const seq = this.#seq++;
    return { seq, atMs: runMs(seq * 100) };
  }
}

describe('CallFold', () => {
  let daemons: Switchboard;
  beforeEach(() => {
    daemons = new Switchboard();
  });

  describe('on routes', () => {
    it('knows the table that a daemon has after it was told routes', () => {
      expect(daemons.call('/addl3', addl3()).routes()).to.deep.equal(['net 3 77']);
      expect(daemons.book.ofKind('routes')[0]?.object).to.equal('daemons/sim-1/routes/net');
    });

    it('takes a later table in place of the earlier one', () => {
      daemons.call('/addl3', addl3()).call('/addl3', addl3('net', { count: 4, digest: 5 }));
      expect(daemons.routes()).to.deep.equal(['net 4 5']);
      expect(daemons.book.ofKind('routes').map(({ to }) => to?.seq)).to.deep.equal([1, undefined]);
    });

    it('knows nothing of a table that is empty, or was deleted', () => {
      const empty = { count: 0, digest: 0 };
      expect(daemons.call('/addl3', addl3('net', empty)).routes()).to.be.empty;
      daemons.call('/addl3', addl3());
      daemons.call('/deletel3', { kind: 'deletel3', network: 'net', table: empty });
      expect(daemons.routes()).to.be.empty;
      expect(daemons.book.countOf('sim-1')).to.equal(0);
    });

    it('knows the newest version of a table, in whatever order the calls ended', () => {
      daemons.call('/addl3', addl3('net', TABLE, 5)).call('/addl3', addl3('net', OLDER, 4));
      daemons.call('/addl3', addl3('b', OLDER, 4)).call('/addl3', addl3('b', TABLE, 6));
      expect(daemons.routes()).to.deep.equal(['net 3 77', 'b 3 77']);
      const table = { count: 0, digest: 0 };
      daemons.call('/deletel3', { kind: 'deletel3', network: 'b', table, version: 8 });
      expect(daemons.call('/addl3', addl3('b', OLDER, 7)).routes()).to.deep.equal(['net 3 77']);
    });

    it('keeps networks apart, and daemons', () => {
      daemons.call('/addl3', addl3('a')).call('/addl3', addl3('b'), { node: 'sim-2' });
      expect(daemons.call('/addl3', addl3('b')).routes()).to.deep.equal(['a 3 77', 'b 3 77']);
      expect(daemons.routes('sim-2')).to.deep.equal(['b 3 77']);
    });
  });

  describe('on addresses', () => {
    it('knows each address that was granted, with its owner', () => {
      const detail: Detail = {
        ...(podDetail('') as Extract<Detail, { kind: 'pod' }>),
        granted: [
          { interface: 'eth1', ip: '192.168.0.1' },
          { interface: 'eth2', ip: '192.168.64.1' },
        ],
      };
      expect(daemons.call('/allocate', detail).grants()).to.deep.equal([
        'default/a eth1 192.168.0.1',
        'default/a eth2 192.168.64.1',
      ]);
    });

    it('forgets the one that was given back, and no other', () => {
      daemons.call('/allocate', podDetail('192.168.0.1', { pod: 'a' }));
      daemons.call('/allocate', podDetail('192.168.0.2', { pod: 'b' }));
      daemons.call('/deallocate', podDetail('192.168.0.1', { pod: 'a' }));
      expect(daemons.grants()).to.deep.equal(['default/b eth1 192.168.0.2']);
    });

    it('knows both addresses of a pod that asked twice, until each is given back', () => {
      daemons.call('/allocate', podDetail('192.168.0.1'));
      daemons.call('/allocate', podDetail('192.168.0.2'));
      expect(daemons.grants()).to.deep.equal([
        'default/a eth1 192.168.0.1',
        'default/a eth1 192.168.0.2',
      ]);
      daemons.call('/deallocate', podDetail('192.168.0.1'));
      expect(daemons.grants()).to.deep.equal(['default/a eth1 192.168.0.2']);
    });

    it('takes a choice of interfaces for no grant', () => {
      expect(daemons.call('/select', podDetail('')).grants()).to.be.empty;
      const chosen: Detail = {
        ...(podDetail('') as Extract<Detail, { kind: 'pod' }>),
        granted: [{ interface: 'eth1', ip: '' }],
      };
      expect(daemons.call('/select', chosen).grants()).to.be.empty;
    });

    it('knows nothing when nothing was granted', () => {
      daemons.call('/allocate', podDetail('')).call('/deallocate', podDetail(''));
      expect(daemons.book.all()).to.be.empty;
    });
  });

  describe('when the client went away before the answer, though the daemon did the work', () => {
    const status = 0;

    it('knows the new table', () => {
      daemons.call('/addl3', addl3());
      daemons.call('/addl3', addl3('net', { count: 9, digest: 1 }), { status });
      expect(daemons.routes()).to.deep.equal(['net 9 1']);
    });

    it('knows that the table was deleted', () => {
      const table = { count: 0, digest: 0 };
      daemons.call('/addl3', addl3());
      daemons.call('/deletel3', { kind: 'deletel3', network: 'net', table }, { status });
      expect(daemons.routes()).to.be.empty;
    });

    it('knows what was granted, and what was given back', () => {
      daemons.call('/allocate', podDetail('192.168.0.1'), { status });
      expect(daemons.grants()).to.deep.equal(['default/a eth1 192.168.0.1']);
      daemons.call('/deallocate', podDetail('192.168.0.1'), { status });
      expect(daemons.grants()).to.be.empty;
    });
  });

  describe('takes nothing for changed', () => {
    beforeEach(() => {
      daemons.call('/addl3', addl3()).call('/allocate', podDetail('192.168.0.1'));
    });

    const rows: readonly (readonly [string, string, number, Detail | null])[] = [
      ['by a call that was refused', '/addl3', 400, { kind: 'refused', problem: 'no JSON' }],
      ['by a call that failed', '/allocate', 500, { kind: 'failed', problem: 'no API server' }],
      ['by a call that failed unheard', '/allocate', 0, { kind: 'failed', problem: 'gone' }],
      ['by a call that broke off before anything was done', '/addl3', 0, null],
      ['by a fault that answered in place of the daemon', '/addl3', 200, null],
      ['by a question for interfaces', '/interface', 200, { kind: 'interface', interfaces: 2 }],
      ['by a greeting', '/join', 200, { kind: 'join', interfaces: 4 }],
      [
        'by a single route, which is of another table',
        '/addroute',
        200,
        { kind: 'route', success: true, table: { count: 1, digest: 1 } },
      ],
    ];
    for (const [title, path, status, detail] of rows)
      it(title, () => {
        daemons.call(path, detail, { status });
        expect(daemons.routes()).to.deep.equal(['net 3 77']);
        expect(daemons.grants()).to.deep.equal(['default/a eth1 192.168.0.1']);
        expect(daemons.book.all()).to.have.length(2);
      });
  });

  describe('when a node is gone', () => {
    beforeEach(() => {
      daemons.call('/addl3', addl3()).call('/allocate', podDetail('192.168.0.1'));
      daemons.call('/addl3', addl3(), { node: 'sim-2' }).forget();
    });

    it('forgets all that its daemon was told and has granted, and nothing of others', () => {
      expect(daemons.book.countOf('sim-1')).to.equal(0);
      expect(daemons.routes('sim-2')).to.deep.equal(['net 3 77']);
    });

    it('passes over the calls that are known only then', () => {
      daemons.call('/addl3', addl3()).call('/allocate', podDetail('192.168.0.2'), { status: 0 });
      expect(daemons.book.countOf('sim-1')).to.equal(0);
    });

    it('knows the calls of another node that takes the name', () => {
      daemons.fold.welcome('sim-1');
      expect(daemons.routes()).to.be.empty;
      expect(daemons.call('/addl3', addl3('b')).routes()).to.deep.equal(['b 3 77']);
    });
  });
});
