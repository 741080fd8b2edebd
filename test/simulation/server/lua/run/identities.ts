let lastIdentity = 0
let lastOfLibrary: number | undefined

/** A number for each table and function, in place of its address. */
export function newIdentity(): number {
  lastIdentity += 1
  return lastIdentity
}

/**
 * Starts over with the identities after those of the library, so that every run of a script counts the same ones, whatever has run
 * before.
 */
export function restartIdentities(): void {
  lastOfLibrary ??= lastIdentity
  lastIdentity = lastOfLibrary
}
