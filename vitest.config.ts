import { defineConfig } from 'vitest/config'
import { luaAsText } from './scripts/lua-as-text.js'
import { isolatedFiles } from './test/support/isolated-files.js'
import { LongestFirst } from './test/support/longest-first.js'
import { GateReporter } from './test/support/reporters/gate-reporter.js'

/** Tests that need no server. */
const unit = ['test/**/*.unit.test.ts']

/** Tests that start servers of their own, to harm them. */
const chaos = ['test/**/*.chaos.test.ts']

/** Tests that share servers with Redisson for Java. */
const interop = ['test/**/*.interop.test.ts']

/** Tests that go on for long, or need much of the machine. */
const soak = ['test/**/*.soak.test.ts']

/** Files that cannot run on the Node of this run: see `scripts/deep/checks.ts`. A project with files of its own to exclude does not obey `--exclude`. */
const leftOut = process.env['REDISSON_TEST_LEFT_OUT']?.split(' ') ?? []

/** All others are given servers, so that no test is forgotten. */
const redis = ['test/**/*.test.ts']

/** Those that do not share their modules with other files. */
const isolatedUnit = isolatedFiles(unit)
const isolatedRedis = isolatedFiles(redis)

/** Test files that run side by side, which is also how often the shared topologies are started. */
const WORKERS = 5

/** Whether this is the run that decides whether a change lands: `.ci/run`. */
const gate = process.env['REDISSON_TEST_GATE'] === 'true'

/**
 * How often a test against a server is run once more after it has failed: in the gate, so that a busy machine does not keep work from
 * landing. {@link GateReporter} names those that passed only then. A test without a server is never run again.
 */
const RETRIES = gate ? 1 : 0

/** What keeps a test out of `npm test`, and in `npm run test:deep`. */
const tags = [
  {
    name: 'timed',
    description: 'Asserts that something was quick, or counts on what has happened after a time.',
  },
  {
    name: 'random',
    description: 'Draws values of its own in each run, or runs for as long as there is time.',
  },
  {
    name: 'full',
    description: 'Tests again, in another way or at another place, what a test of the gate tests already.',
  },
  { name: 'flaky', description: 'Failed without a known cause. It has a line in test/known-flaky.md.' },
]

/** What all projects without servers have. */
const withoutServers = { setupFiles: ['test/support/setup/property-seed.ts'] }

/** What all projects with the shared servers have. */
const withServers = {
  retry: RETRIES,
  globalSetup: ['test/support/setup/shared-topologies.ts'],
  setupFiles: [
    'test/support/setup/property-seed.ts',
    'test/support/setup/concurrent-expect.ts',
    'test/support/setup/clear-servers.ts',
  ],
}

const notForServers = [...unit, ...chaos, ...interop, ...soak, ...leftOut]

export default defineConfig({
  plugins: [luaAsText()],
  test: {
    reporters: [new GateReporter(), 'default'],
    tags,
    slowTestThreshold: 2_000,
    // Ends a test that hangs, and asserts nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/setup/node-version.ts'],
    projects: [
      {
        test: {
          ...withoutServers,
          name: 'unit',
          include: unit,
          exclude: [...leftOut, ...isolatedUnit],
          isolate: false,
        },
      },
      {
        test: { ...withoutServers, name: 'unit-isolated', include: isolatedUnit, exclude: leftOut },
      },
      {
        test: {
          ...withServers,
          name: 'redis',
          include: redis,
          exclude: [...notForServers, ...isolatedRedis],
          isolate: false,
        },
      },
      {
        test: { ...withServers, name: 'redis-isolated', include: isolatedRedis, exclude: notForServers },
      },
      {
        test: {
          name: 'chaos',
          include: chaos,
          globalSetup: ['test/support/setup/choose-launcher.ts'],
          // After all others and one by one: a failover is a matter of time, and the machine's time is divided.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'interop',
          include: interop,
          retry: RETRIES,
          globalSetup: ['test/support/setup/choose-launcher.ts', 'test/interop/setup.ts'],
          setupFiles: ['test/support/setup/concurrent-expect.ts'],
        },
      },
      {
        test: {
          name: 'soak',
          include: soak,
          globalSetup: ['test/support/setup/choose-launcher.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 2 }, // alone and one by one, because it measures times and memory
        },
      },
      {
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['test/types/**/*.test-d.ts'],
            tsconfig: 'tsconfig.types.json', // what they import, and no more
            ignoreSourceErrors: true, // they are the business of `npm run typecheck`
          },
        },
      },
    ],
  },
})
