import { assertNever } from '../base/assert-never.ts';
import type { HistoryEntryOf } from '../model/history.ts';

type Kept = HistoryEntryOf<
  | 'header'
  | 'environment'
  | 'listed'
  | 'controller'
  | 'component'
  | 'usage'
  | 'controller-metrics'
  | 'canary'
  | 'stall'
  | 'nudge'
  | 'allocation'
  | 'api'
  | 'end'
>;

/** Entries that are judged as they are. */
export class KeptEntries {
  header: HistoryEntryOf<'header'> | undefined;
  environment: HistoryEntryOf<'environment'> | undefined;
  end: HistoryEntryOf<'end'> | undefined;
  readonly controllerEvents: HistoryEntryOf<'controller'>[] = [];
  readonly componentExits: HistoryEntryOf<'component'>[] = [];
  readonly usage: HistoryEntryOf<'usage'>[] = [];
  readonly controllerMetrics: HistoryEntryOf<'controller-metrics'>[] = [];
  readonly canary: HistoryEntryOf<'canary'>[] = [];
  readonly stalls: HistoryEntryOf<'stall'>[] = [];
  readonly nudges: HistoryEntryOf<'nudge'>[] = [];
  readonly allocations: HistoryEntryOf<'allocation'>[] = [];
  readonly api: HistoryEntryOf<'api'>[] = [];

  add(entry: Kept): void {
    switch (entry.kind) {
      case 'header':
        this.header = entry;
        return;
      case 'environment':
        this.environment = entry;
        return;
      case 'end':
        this.end = entry;
        return;
      case 'controller':
        this.controllerEvents.push(entry);
        return;
      case 'component':
        this.componentExits.push(entry);
        return;
      case 'usage':
        this.usage.push(entry);
        return;
      case 'controller-metrics':
        this.controllerMetrics.push(entry);
        return;
      case 'canary':
        this.canary.push(entry);
        return;
      case 'stall':
        this.stalls.push(entry);
        return;
      case 'nudge':
        this.nudges.push(entry);
        return;
      case 'allocation':
        this.allocations.push(entry);
        return;
      case 'api':
        this.api.push(entry);
        return;
      case 'listed':
        return; // nothing is judged by it
      default:
        assertNever(entry);
    }
  }
}
