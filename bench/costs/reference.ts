/**
 * How much dearer each script was than that of the least commands. A change that makes one cheaper lowers its number; one that makes it dearer for a
 * good reason raises it.
 */
export const REFERENCE: Readonly<Record<string, number>> = {
  'lock, acquire': 1.28,
  'lock, release': 1.82,
  'lock of another, acquire': 2.05,
  'fair lock, acquire': 1.49,
  'fair lock, release': 1.95,
  'fenced lock, acquire': 1.31,
  'fenced lock, release': 1.79,
  'spin lock, acquire': 1.26,
  'spin lock, release': 1.83,
  'read lock, acquire': 1.35,
  'read lock, release': 1.89,
  'write lock, acquire': 1.44,
  'write lock, release': 1.72,
  'lock of two values, acquire': 1.97,
  'lock of two values, release': 2.05,
  'semaphore, acquire': 1.73,
  'semaphore, release': 2.09,
  'permit that expires, acquire': 1.69,
  'permit that expires, release': 1.61,
  'latch, count down': 1.73,
  'rate limiter, grant': 2.45,
  'map, put': 1.02,
}
