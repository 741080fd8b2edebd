import { codeOf } from '../../client/recorder.js'

/** The code of an error; of a loss, with its reason; of several, with those of all. */
export function wordFor(error: unknown): string {
  const code = codeOf(error)
  const reason = reasonOf(error) ?? (error instanceof Error ? reasonOf(error.cause) : undefined)
  const failures = failuresOf(error).map((failure) => wordFor(failure.error))
  if (failures.length > 0) return `${code}(${[...new Set(failures)].sort().join(' ')})`
  return reason === undefined ? code : `${code}:${reason}`
}

/** The same for a call with a time to wait, which may be too short for a reply. */
export function wordForWait(word: string): string {
  return word.replaceAll('REPLY_TIMEOUT', 'REPLY_TIMEOUT:waiting')
}

/** Whether a request may have taken effect although its call was rejected. */
export function mayHaveRun(error: unknown): boolean {
  return error instanceof Error && 'mayHaveRun' in error && error.mayHaveRun === true
}

/** A requested lease that has ended is recognized by its length, also where Redis was the first to say that it is over. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'reason' in error && typeof error.reason === 'string')) return undefined
  return 'leaseMs' in error && error.leaseMs !== undefined ? 'expired' : error.reason
}

function failuresOf(error: unknown): readonly { readonly error: unknown }[] {
  if (!(error instanceof Error && 'failures' in error && Array.isArray(error.failures))) return []
  return error.failures as readonly { readonly error: unknown }[]
}
