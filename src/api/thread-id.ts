/**
 * Names a thread: one logical flow of execution that may hold locks.
 *
 * A positive integer (or its decimal text) names a thread of this client, as `Thread.getId()` does in Java. The whole
 * owner, `clientId:threadId`, names a thread of any client, so that a hold can be released by another process.
 */
export type ThreadId = number | bigint | string
