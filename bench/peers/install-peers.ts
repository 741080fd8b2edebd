import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
/** What is to be there. */
const WANTED = new URL('package-lock.json', import.meta.url)
/** What npm says is there. */
const INSTALLED = new URL('node_modules/.package-lock.json', import.meta.url)

/** Brings the peers, unless they are there. They are no dependencies of the library, nor of those who work on it. */
export async function installPeers(onInstall: () => void): Promise<void> {
  if (arePeersThere()) return
  onInstall()
  await run('npm', ['ci', '--silent'], { cwd: FOLDER })
}

/** The version of a package that is wanted. */
export function versionOf(packageName: string): string | undefined {
  const { packages } = JSON.parse(readFileSync(WANTED, 'utf8')) as Lock
  return packages[`node_modules/${packageName}`]?.version
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>
}

function arePeersThere(): boolean {
  try {
    return statSync(INSTALLED).mtimeMs >= statSync(WANTED).mtimeMs
  } catch {
    return false // nothing was installed yet
  }
}
