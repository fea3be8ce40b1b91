/** Those that kwok and the node lifecycle controller set, which come and go and which daemons tolerate. */
const USUAL = /^(kwok\.x-k8s\.io|node\.kubernetes\.io)\//;

/** Whether a taint, as `KEY:EFFECT`, is none of those that every fake node may have. */
export const isForeignTaint = (taint: string): boolean => !USUAL.test(taint);
