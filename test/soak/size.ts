/**
 * Whether the runs are as long as they are meant to be, on a machine that has nothing else to do: `npm run test:soak`.
 * Otherwise they are short, and promise no times that a machine which is shared cannot keep.
 */
export const full = process.env['REDISSON_TEST_SOAK'] === 'full'
