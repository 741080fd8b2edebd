import { defineConfig } from 'vitest/config'
import { luaAsText } from './scripts/lua-as-text.js'

/** Tests that need no server. */
const unit = ['test/**/*.unit.test.ts']

/** Tests that start servers of their own, to harm them. */
const chaos = ['test/**/*.chaos.test.ts']

/** Tests that share servers with Redisson for Java. */
const interop = ['test/**/*.interop.test.ts']

/** Tests that go on for long, or need much of the machine. */
const soak = ['test/**/*.soak.test.ts']

/** All others are given servers, so that no test is forgotten. */
const redis = 'test/**/*.test.ts'

/** Test files that run side by side, which is also how often the shared topologies are started. */
const WORKERS = 3

export default defineConfig({
  plugins: [luaAsText()],
  test: {
    reporters: ['default'],
    slowTestThreshold: 2_000,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: WORKERS,
    globalSetup: ['test/support/setup/node-version.ts'],
    projects: [
      {
        test: { name: 'unit', include: unit, setupFiles: ['test/support/setup/property-seed.ts'] },
      },
      {
        test: {
          name: 'redis',
          include: [redis],
          exclude: [...unit, ...chaos, ...interop, ...soak],
          globalSetup: ['test/support/setup/shared-topologies.ts'],
          setupFiles: ['test/support/setup/property-seed.ts', 'test/support/setup/concurrent-expect.ts'],
        },
      },
      {
        test: {
          name: 'chaos',
          include: chaos,
          globalSetup: ['test/support/setup/choose-launcher.ts'],
          testTimeout: 60_000,
          // After all others and one by one: a failover is a matter of time, and the machine's time is divided.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'interop',
          include: interop,
          globalSetup: ['test/support/setup/choose-launcher.ts', 'test/interop/setup.ts'],
          setupFiles: ['test/support/setup/concurrent-expect.ts'],
          sequence: { groupOrder: 2 }, // alone, because it measures how quickly one side hears from the other
        },
      },
      {
        test: {
          name: 'soak',
          include: soak,
          globalSetup: ['test/support/setup/choose-launcher.ts'],
          testTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 }, // alone and one by one, because it measures times and memory
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
            ignoreSourceErrors: true, // they are the business of `npm run typecheck`
          },
        },
      },
    ],
  },
})
