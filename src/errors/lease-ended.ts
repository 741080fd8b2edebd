/** A lease that is shorter was probably meant in seconds, in milliseconds. */
export const SHORT_LEASE_MS = 100

/** The text for a requested lease that has ended. */
export function leaseEnded(leaseMs: number): string {
  const hint = leaseMs < SHORT_LEASE_MS ? '; leaseMs is in milliseconds' : ''
  return `its lease of ${leaseMs} ms ended${hint}`
}
