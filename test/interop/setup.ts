import type { TestProject } from 'vitest/node'
import { buildPeer, type BuiltPeer } from './build-peer.js'

declare module 'vitest' {
  interface ProvidedContext {
    readonly javaPeer: BuiltPeer
  }
}

/** The variable that forbids to go on without Java. */
const REQUIRED = 'REDISSON_TEST_JAVA'

/** Builds the peer that speaks Java, once and for all workers, or says why the tests that need it are skipped. */
export async function setup(project: TestProject): Promise<void> {
  const peer = await buildPeer()
  project.provide('javaPeer', peer)
  if (peer.missing === undefined) return
  const reason = `The tests with Redisson for Java are skipped: ${peer.missing}`
  if (process.env[REQUIRED] === 'required') throw new Error(`${reason}, but ${REQUIRED} is "required"`)
  project.vitest.logger.log(reason)
}
