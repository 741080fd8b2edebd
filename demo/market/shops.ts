import { startChild, type Child } from '../../test/support/child.js'

/** A shop that is open. */
export interface Shop {
  readonly name: string
  readonly port: number
  readonly process: Child
}

/** How a shop is started: the file that it runs, and its settings. */
export interface ShopPlan {
  readonly file: URL
  readonly settings: { readonly name: string }
}

/** Opens shops, each of them a process of its own. */
export async function openShops(plans: readonly ShopPlan[]): Promise<readonly Shop[]> {
  const started = plans.map(({ file, settings }) => ({
    name: settings.name,
    process: startChild(file, { args: [JSON.stringify(settings)] }),
  }))
  return await Promise.all(
    started.map(async (shop) => ({ ...shop, port: Number((await shop.process.hear('open'))['port']) })),
  )
}

/** Kills shops at once. */
export async function closeShops(shops: readonly Shop[]): Promise<void> {
  await Promise.all(shops.map((shop) => shop.process.kill()))
}
