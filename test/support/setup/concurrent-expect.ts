import { chai } from 'vitest'

/**
 * While tests run at the same time, vitest takes the promises that one of them expects something of for those of the test that began last.
 * That one fails then, if it ends before they settle. No test forgets to await one: the linter sees to that.
 */
for (const promised of ['resolves', 'rejects'])
  chai.util.overwriteProperty(chai.Assertion.prototype, promised, (get: () => unknown) => {
    return function (this: Chai.AssertionStatic): unknown {
      const test = chai.util.flag(this, 'vitest-test') as { readonly concurrent?: boolean } | undefined
      if (test?.concurrent === true) chai.util.flag(this, 'vitest-test', undefined)
      return get.call(this)
    }
  })
