/** What is kept of a controller's own metrics, by the names that controller-runtime and client-go give them. */
export const KEPT_METRICS = {
  depth: 'workqueue_depth',
  adds: 'workqueue_adds_total',
  retries: 'workqueue_retries_total',
  reconciles: 'controller_runtime_reconcile_total',
  reconcileErrors: 'controller_runtime_reconcile_errors_total',
  requests: 'rest_client_requests_total',
} as const;

export type KeptMetric = (typeof KEPT_METRICS)[keyof typeof KEPT_METRICS];

/** The values of a metric, whatever their labels. The keys are those of the recording. */
export const valuesOf = (
  values: Readonly<Record<string, number>>,
  metric: KeptMetric,
): readonly number[] =>
  Object.entries(values).flatMap(([key, value]) =>
    key === metric || key.startsWith(`${metric}{`) ? [value] : [],
  );
