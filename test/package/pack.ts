import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/launch/guard.js'

const run = promisify(execFile)

const root = resolve(import.meta.dirname, '../..')

/** All that the build and the package need. */
const ingredients = [
  'CHANGELOG.md',
  'LICENSE',
  'NOTICE',
  'README.md',
  'api-extractor.json',
  'package.json',
  'rolldown.config.js',
  'scripts',
  'src',
  'tsconfig.build.json',
  'tsconfig.json',
]

/** What goes to the registry. */
export interface Package {
  /** The file that is published. */
  readonly tarball: string
  /** Where it was unpacked. */
  readonly folder: string
  /** The files in it, by their paths from there. */
  readonly files: readonly string[]
  /** What its manifest says. */
  readonly manifest: { readonly dependencies: Readonly<Record<string, string>> }
}

/** Whether `.ci/run` has built these sources. */
const isBuilt = process.env['REDISSON_TEST_GATE'] === 'true'

/**
 * Builds, packs and unpacks the package as `npm publish` would.
 *
 * It is built from a copy, so that what is packed is never older than the sources, and no existing `dist` is changed.
 */
export async function packPackage(): Promise<Package> {
  const copy = temporaryFolder()
  const names = isBuilt ? [...ingredients, 'dist'] : ingredients
  for (const name of names) cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const unpacked = temporaryFolder()
  const args = ['pack', '--silent', '--pack-destination', unpacked, ...(isBuilt ? ['--ignore-scripts'] : [])]
  await run('npm', args, { cwd: copy })
  const [tarball = ''] = readdirSync(unpacked)
  await run('tar', ['-xzf', tarball], { cwd: unpacked })
  const folder = join(unpacked, 'package')
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package['manifest']
  return { tarball: join(unpacked, tarball), folder, files: filesIn(folder), manifest }
}

/**
 * Makes a project that has nothing but the package, the dependencies that this declares, and what TypeScript knows of
 * Node. Answers its folder.
 */
export function makeConsumer(kind: string, { folder, manifest }: Package): string {
  const project = temporaryFolder()
  cpSync(join(import.meta.dirname, 'consumers', kind), project, { recursive: true })
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '@types'), { recursive: true })
  cpSync(folder, join(modules, 'ioredisson'), { recursive: true })
  for (const name of [...Object.keys(manifest.dependencies), '@types/node']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  return project
}

/** Runs a line of JavaScript in a project, as CommonJS or as a module, and returns what it wrote. */
export async function runLine(
  project: string,
  code: string,
  { node = process.execPath, args = [] as readonly string[] } = {},
): Promise<string> {
  const { stdout } = await run(node, [...args, '--eval', code], { cwd: project })
  return stdout
}

/** Compiles a consumer, which fails with the compiler's own words. */
export async function compile(project: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  try {
    await run(process.execPath, [compiler, '-p', project])
  } catch (error) {
    throw new Error((error as { readonly stdout: string }).stdout, { cause: error })
  }
}

/** Runs a compiled consumer to its end, with some Node, and returns what it wrote. */
export async function runConsumer(project: string, address: string, node: string): Promise<string> {
  const { stdout } = await run(node, ['out/use.js', address], { cwd: project })
  return stdout
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
