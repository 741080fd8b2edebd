import os from 'node:os'
import { activeSimulation } from '../simulation.js'
import { replaceBy, replaceByGetter, type Replacement } from './replacement.js'

/** Replaces the name of the machine and the number of the process: connections are named after them, and a seed is to do the same everywhere. */
export function machineReplacements(): readonly Replacement[] {
  const { hostname } = os
  const { pid } = process
  return [
    replaceBy(os, 'hostname', () => (activeSimulation() === undefined ? hostname() : 'simulated')),
    replaceByGetter(process, 'pid', () => (activeSimulation() === undefined ? pid : 1)),
  ]
}
