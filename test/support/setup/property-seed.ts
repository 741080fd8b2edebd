/**
 * Seeds what fast-check draws by `REDISSON_TEST_SEED`, so that a change is judged by the values that the one before it was judged by.
 * Without it each run draws others.
 */
const seed = process.env['REDISSON_TEST_SEED']

if (seed !== undefined) {
  const { configureGlobal, readConfigureGlobal } = await import('fast-check') // which most files of tests do without
  configureGlobal({ ...readConfigureGlobal(), seed: Number(seed) })
}
