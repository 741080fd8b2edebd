import { globSync, readFileSync } from 'node:fs'

/**
 * What a test does whose modules no other test may share: it replaces modules, or the clock before they are imported, or watches warnings
 * that a process emits once.
 */
const OF_ITS_OWN = /\bvi\.(?:mock|doMock|resetModules)\(|\binstall\(\)|\bemitWarning\b|'warning'/

/**
 * The test files that need a process and modules of their own. The others run one after the other in the process of a worker, which loads the
 * library once: for most files that takes longer than their tests.
 */
export function isolatedFiles(patterns: readonly string[]): string[] {
  return globSync(patterns).filter((file) => OF_ITS_OWN.test(readFileSync(file, 'utf8')))
}
