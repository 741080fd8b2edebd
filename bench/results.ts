import type { Costs } from './costs/costs.js'
import type { ShopResult } from './shop.js'
import type { Standings } from './standings.js'

/** All results of a run. */
export interface Results {
  readonly standings: readonly Standings[]
  readonly shop: ShopResult | undefined
  readonly costs: Costs | undefined
}
