/** As many as the client has connections: more would only queue. */
export const CONCURRENCY = 32;
