import type { Config } from '../../config/config.js'

/** The number of the database that a client uses. A cluster has only 0. */
export function databaseOf({ server }: Pick<Config, 'server'>): number {
  return 'database' in server ? server.database : 0
}
