import type { HistoryBuilder } from '../../../../helpers/history-builder.ts';

/** What every guarantee must be tried with: a recording that keeps it, one that breaks it, one without its objects. */
export interface InvariantCases {
  readonly held: {
    readonly history: () => HistoryBuilder;
    readonly checked: number;
  };
  readonly broken: {
    readonly history: () => HistoryBuilder;
    readonly findings: readonly {
      readonly message: string;
      readonly atMs: number;
      readonly objects: readonly string[];
    }[];
  };
  readonly notApplicable: {
    readonly history: () => HistoryBuilder;
    readonly reason: string;
  };
}
