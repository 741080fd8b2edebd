import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { blocksOf } from '../prose/snippets.js'
import { temporaryFolder } from '../support/launch/guard.js'
import { addressOf } from '../support/launch/topology.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'
import { packPackage, type Package } from './pack.js'

const run = promisify(execFile)

/** A registry is asked, and tools are slow at their first start. */
const PATIENCE_MS = 300_000

/** Uses the package, with a server whose address is in the environment. */
const USE = `
  async function use({ Redisson, isRedissonError }) {
    const client = await Redisson.create(process.env.REDIS_ADDRESS)
    const lock = client.getLock('tools')
    const inside = await lock.withLock(() => 'inside')
    const refused = await lock.lock(10, 'SECONDS').catch((error) => error instanceof TypeError)
    await client.getMap('tools:map').put('a', 1)
    const found = await client.getMap('tools:map').get('a')
    await client.getMap('tools:map').delete()
    await client.shutdown()
    return [inside, refused, found, typeof isRedissonError].join(' ')
  }`

/** What it says then. */
const SAID = 'inside true 1 function'

const commonjs = `${USE}\nuse(require('ioredisson')).then(console.log)\n`
const esm = `import { Redisson, isRedissonError } from 'ioredisson'\n${USE}\nconsole.log(await use({ Redisson, isRedissonError }))\n`

const jestTest = `${USE}
  const ioredisson = require('ioredisson')
  test('uses the package', async () => { expect(await use(ioredisson)).toBe('${SAID}') })
  test('can be replaced', () => { expect(typeof ioredisson.Redisson.create).toBe('function') })`

/** The module as the guide replaces it. */
const replaced = `${blocksOf('docs/guide/testing.md').find(({ code }) => code.startsWith('jest.mock('))?.code ?? ''}
  const { Redisson, LockTimeoutError } = require('ioredisson')
  const mockClient = {}
  test('has the client of the test', async () => { expect(await Redisson.create()).toBe(mockClient) })
  test('has its errors', () => { expect(new LockTimeoutError('orders', 1)).toBeInstanceOf(LockTimeoutError) })`

const typed = `import { Redisson, type RedissonClient, type RLock } from 'ioredisson'
  export async function withClient(address: string): Promise<string> {
    const client: RedissonClient = await Redisson.create(address)
    const lock: RLock = client.getLock('typed')
    const said: string = await lock.withLock(() => 'inside')
    const [size, value] = await client.batch((batch) => [batch.getSet<string>('s').size(), batch.getBucket<number>('b').get()])
    const both: [number, number | undefined] = [size, value]
    await client.shutdown()
    return said + String(both.length)
  }`

const tsJestTest = `import { withClient } from './typed'
  test('uses the package', async () => { expect(await withClient(process.env['REDIS_ADDRESS'] ?? '')).toBe('inside2') })`

const nestTest = `import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common'
  import { Test } from '@nestjs/testing'
  import { Redisson, type RedissonClient } from 'ioredisson'

  const CLIENT = 'CLIENT'

  @Injectable()
  class Locks implements OnApplicationShutdown {
    constructor(@Inject(CLIENT) readonly client: RedissonClient) {}
    run(): Promise<string> { return this.client.getLock('nest').withLock(() => 'inside') }
    onApplicationShutdown(): Promise<void> { return this.client.shutdown() }
  }

  @Module({
    providers: [Locks, { provide: CLIENT, useFactory: () => Redisson.create(process.env['REDIS_ADDRESS'] ?? '') }],
  })
  class AppModule {}

  test('uses the package', async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile()
    const app = module.createNestApplication()
    await app.init()
    expect(await app.get(Locks).run()).toBe('inside')
    await app.close()
  })`.replace('import { Injectable,', 'import { Inject, Injectable,')

/** What Nest's own command line writes into a new application. */
const NEST_TSCONFIG = {
  module: 'nodenext',
  moduleResolution: 'nodenext',
  esModuleInterop: true,
  isolatedModules: true,
  declaration: true,
  emitDecoratorMetadata: true,
  experimentalDecorators: true,
  target: 'ES2023',
  strictNullChecks: true,
  skipLibCheck: true,
  types: ['jest', 'node'],
}

const tsconfig = (options: object) => JSON.stringify({ compilerOptions: options })

/** A program, or a test of one, that is made with some tool. */
interface Consumer {
  readonly tools: readonly string[]
  readonly type?: 'module' | 'commonjs'
  readonly files: Readonly<Record<string, string>>
  /** What is run, one after the other: a file of `node_modules/.bin`, or `node`. */
  readonly commands: readonly (readonly [tool: string, ...args: readonly string[]])[]
  /** What the last of them writes, to either output. */
  readonly says: string
}

const bundled = (tool: string, ...args: readonly string[]): Pick<Consumer, 'commands' | 'says'> => ({
  commands: [
    [tool, ...args],
    ['node', 'out/main.cjs'],
  ],
  says: SAID,
})

const jest = {
  commands: [['jest']],
  says: 'passed',
} as const

const consumers: Readonly<Record<string, Consumer>> = {
  'Jest 30': {
    tools: ['jest@30'],
    files: { 'use.test.js': jestTest, 'replaced.test.js': replaced },
    commands: jest.commands,
    says: '4 passed',
  },
  'ts-jest': {
    tools: ['jest@30', 'ts-jest@29', 'typescript@5.9', '@types/jest@30', '@types/node@22'],
    files: {
      'typed.ts': typed,
      'use.test.ts': tsJestTest,
      'jest.config.js': `module.exports = { transform: { '^.+\\\\.ts$': 'ts-jest' } }`,
      'tsconfig.json': tsconfig({
        target: 'es2022',
        module: 'commonjs',
        strict: true,
        esModuleInterop: true,
      }),
    },
    commands: jest.commands,
    says: '1 passed',
  },
  'Nest 11 with its Jest': {
    tools: [
      ...['@nestjs/common@11', '@nestjs/core@11', '@nestjs/platform-express@11', '@nestjs/testing@11'],
      ...[
        'reflect-metadata',
        'rxjs',
        'jest@30',
        'ts-jest@29',
        'typescript@5.9',
        '@types/jest@30',
        '@types/node@22',
      ],
    ],
    files: {
      'app.spec.ts': nestTest,
      'jest.config.js': `module.exports = { testRegex: '.*\\\\.spec\\\\.ts$', transform: { '^.+\\\\.(t|j)s$': 'ts-jest' }, moduleFileExtensions: ['js', 'json', 'ts'] }`,
      'tsconfig.json': tsconfig(NEST_TSCONFIG),
    },
    commands: jest.commands,
    says: '1 passed',
  },
  vitest: {
    tools: ['vitest@4'],
    type: 'module',
    files: {
      'use.test.js': `import { expect, test } from 'vitest'\nimport * as ioredisson from 'ioredisson'\n${USE}
        test('uses the package', async () => { expect(await use(ioredisson)).toBe('${SAID}') })`,
    },
    commands: [['vitest', 'run']],
    says: '1 passed',
  },
  'esbuild to CommonJS': {
    tools: ['esbuild'],
    files: { 'main.js': commonjs },
    ...bundled('esbuild', 'main.js', '--bundle', '--platform=node', '--format=cjs', '--outfile=out/main.cjs'),
  },
  'esbuild to modules': {
    tools: ['esbuild'],
    type: 'module',
    files: { 'main.js': esm },
    commands: [
      [
        'esbuild',
        ...['main.js', '--bundle', '--platform=node', '--format=esm', '--outfile=out/main.mjs'],
        "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      ],
      ['node', 'out/main.mjs'],
    ],
    says: SAID,
  },
  webpack: {
    tools: ['webpack@5', 'webpack-cli@6'],
    files: {
      'main.js': commonjs,
      'webpack.config.js': `module.exports = { mode: 'production', target: 'node', entry: './main.js', output: { path: __dirname + '/out', filename: 'main.cjs' } }`,
    },
    ...bundled('webpack'),
  },
  rolldown: {
    tools: ['rolldown'],
    files: { 'main.js': commonjs },
    ...bundled('rolldown', 'main.js', '--platform', 'node', '--format', 'cjs', '--file', 'out/main.cjs'),
  },
  Bun: {
    tools: ['bun'],
    type: 'module',
    files: { 'main.js': esm },
    commands: [['bun', 'main.js']],
    says: SAID,
  },
  Deno: {
    tools: ['deno'],
    type: 'module',
    files: { 'main.mjs': esm.replaceAll('process.env.REDIS_ADDRESS', `Deno.env.get('REDIS_ADDRESS')`) },
    commands: [['deno', 'run', '--allow-all', '--node-modules-dir=manual', 'main.mjs']],
    says: SAID,
  },
}

/** How a project may have its compiler look for packages. */
const resolutions = {
  node16: { module: 'node16' },
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

describe('the packed package', { tags: ['full'] }, () => {
  let packed: Package

  noLeaks(single)

  beforeAll(async () => {
    packed = await packPackage()
  }, PATIENCE_MS)

  const make = async ({ tools, type = 'commonjs', files }: Omit<Consumer, 'commands' | 'says'>) => {
    const project = temporaryFolder()
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type }))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project, name)), { recursive: true })
      writeFileSync(join(project, name), text)
    }
    await run('npm', ['install', '--no-audit', '--no-fund', packed.tarball, ...tools], { cwd: project })
    return project
  }

  const start = async (project: string, [tool, ...args]: Consumer['commands'][number]): Promise<string> => {
    const env = { ...process.env, REDIS_ADDRESS: `redis://${addressOf(single.nodes[0])}`, NODE_ENV: 'test' }
    const command = tool === 'node' ? process.execPath : join(project, 'node_modules/.bin', tool)
    try {
      const { stdout, stderr } = await run(command, args, { cwd: project, env })
      return stdout + stderr
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
      throw new Error(`${tool} has failed: ${stdout}${stderr}`, { cause: error })
    }
  }

  it.each(Object.entries(consumers))(
    'works with %s',
    async (_, { commands, says, ...consumer }) => {
      const project = await make(consumer)
      let said = ''
      for (const command of commands) said = await start(project, command)
      expect(said).toContain(says)
    },
    PATIENCE_MS,
  )

  it.each(['5.4', '5.9', '6.0', '7.0'])(
    'compiles with TypeScript %s, without the types of Node and with all declarations checked',
    async (version) => {
      const files = Object.fromEntries(
        Object.entries(resolutions).map(([name, options]) => [
          `tsconfig.${name}.json`,
          JSON.stringify({
            compilerOptions: {
              target: 'es2022',
              strict: true,
              skipLibCheck: false,
              noEmit: true,
              types: [],
              ...options,
            },
            include: ['typed.ts'],
          }),
        ]),
      )
      const project = await make({
        tools: [`typescript@${version}`, '@types/node@22'],
        files: { ...files, 'typed.ts': typed },
      })
      for (const name of Object.keys(resolutions))
        await start(project, ['tsc', '-p', `tsconfig.${name}.json`])
    },
    PATIENCE_MS,
  )
})
