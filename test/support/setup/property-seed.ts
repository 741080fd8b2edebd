import { configureGlobal, readConfigureGlobal } from 'fast-check'

/**
 * Seeds what fast-check draws, so that a change is judged by the values that the one before it was judged by.
 * `REDISSON_TEST_SEED` has it draw others, as `npm run test:deep` does.
 */
const DEFAULT_SEED = 1

configureGlobal({
  ...readConfigureGlobal(),
  seed: Number(process.env['REDISSON_TEST_SEED'] ?? DEFAULT_SEED),
})
