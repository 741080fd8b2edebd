/** The oldest Node that the library runs on. */
const OLDEST = [22, 12] as const

/** Refuses to run on a Node that is too old, as the one that comes with the system may be. */
export function setup(): void {
  const { node } = process.versions
  if (isNewEnough(node)) return
  throw new Error(`Expected Node ${OLDEST.join('.')} or later, got ${node}: run the tests with "npx vitest"`)
}

/** Whether a version of Node is not older than the oldest that will do. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}
