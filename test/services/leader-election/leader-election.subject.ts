import type { LeaderElection } from '../../../src/index.js'
import { method, nothing, orUndefined, text, type Subject } from '../../contracts/subject.js'
import { flag, fn, options, signal } from '../../contracts/takes.js'

export const leaderElection: Subject<LeaderElection> = {
  make: (client, name) => client.getLeaderElection(name),
  methods: {
    run: method(nothing, fn, options({ signal, requeue: flag })),
    getLeader: method(orUndefined(text)),
  },
  free: (client, name) => client.getLeaderElection(name).run(() => 'done', { requeue: false }),
}
