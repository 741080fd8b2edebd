import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What CI has. */
const OLDEST_JDK = 17
const PROGRAMS = ['java', 'javac', 'mvn'] as const
/** Where the compiled peer is kept; sources stay clean. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/interop', import.meta.url))
const POM = fileURLToPath(new URL('peer/pom.xml', import.meta.url))
const SOURCE = fileURLToPath(new URL('peer/Peer.java', import.meta.url))
/** Maven has to bring some thirty jars over the network the first time. */
const FETCH_WITHIN_MS = 300_000

/** The peer that speaks Java, ready to be started; or why there is none. */
export type BuiltPeer =
  { readonly classpath: string; readonly missing: undefined } | { readonly missing: string }

/**
 * Brings Redisson from Maven Central and compiles the peer, unless that has been done.
 *
 * @throws Error if the peer does not compile, which no machine can be blamed for
 */
export async function buildPeer(): Promise<BuiltPeer> {
  const missing = await missingPrograms()
  if (missing.length > 0) return { missing: `there is no ${missing.join(', no ')} on the PATH` }
  const jdk = await versionOfJdk()
  if (jdk < OLDEST_JDK) return { missing: `the JDK is older than ${OLDEST_JDK}` }
  const hash = createHash('sha256').update(readFileSync(POM)).update(readFileSync(SOURCE))
  const built = join(CACHE, hash.digest('hex'))
  if (!isComplete(built)) {
    const trouble = await build(built)
    if (trouble !== undefined) return { missing: trouble }
  }
  return { classpath: classpathOf(built), missing: undefined }
}

async function missingPrograms(): Promise<string[]> {
  const answers = await Promise.allSettled(PROGRAMS.map((program) => run(program, ['-version'])))
  return PROGRAMS.filter((_, index) => answers[index]?.status === 'rejected')
}

async function versionOfJdk(): Promise<number> {
  const { stdout } = await run('javac', ['-version'])
  return Number(/\d+/.exec(stdout)) // the old ones say 1.8, and not here
}

/** Builds aside and moves the result, so that the result is always complete. Returns why it could not be done. */
async function build(target: string): Promise<string | undefined> {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'build-'))
  try {
    const jars = join(folder, 'jars')
    const goal = ['dependency:build-classpath', `-Dmdep.outputFile=${jars}`]
    const fetching = run('mvn', ['--batch-mode', '--quiet', '-Dstyle.color=never', '-f', POM, ...goal], {
      timeout: FETCH_WITHIN_MS,
    })
    const trouble = await fetching.then(() => undefined, firstLineOf)
    if (trouble !== undefined) return `Maven could not bring Redisson: ${trouble}`
    await run('javac', ['-d', folder, '-cp', readFileSync(jars, 'utf8').trim(), SOURCE])
    rmSync(target, { recursive: true, force: true })
    renameSync(folder, target)
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function isComplete(built: string): boolean {
  return existsSync(built) && classpathOf(built).split(delimiter).every(existsSync)
}

function classpathOf(built: string): string {
  return [built, readFileSync(join(built, 'jars'), 'utf8').trim()].join(delimiter)
}

function firstLineOf(error: unknown): string {
  const { message, stdout } = error as Error & { stdout?: string }
  const said = /\[ERROR\] +(.*\S)/.exec(stdout ?? '')?.[1] ?? message
  return said.split('\n', 1).join()
}
