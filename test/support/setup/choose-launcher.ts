import { theLauncher } from '../launch/choose-launcher.js'

/** Decides where servers run, once and for all workers, which find the decision in their environment. */
export async function setup(): Promise<void> {
  await theLauncher()
}
