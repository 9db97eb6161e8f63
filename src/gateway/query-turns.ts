/**
 * Owns the scheduling of ledger queries by requests: a few at a time in total, fair between clients, cancelled when the
 * client leaves.
 */
import { FairQueue } from '../base/fair-queue.js'
import { LedgerError } from '../model/index.js'

/**
 * Concurrent queries of requests on the ledger thread. Each may occupy it for some tens of milliseconds between two
 * reads, and the execution of a block waits for all of them.
 */
export const QUERIES_AT_ONCE = 4
/** Maximum of these queries that may occupy the thread for tens of milliseconds without a pause. */
const LONG_AT_ONCE = 1
/** Maximum concurrent trials, which share one thread. */
const TRIALS_AT_ONCE = 1

/** Duration of a query on its thread: some ms or tens of ms on the ledger thread, or the trial thread. */
export type QueryPlace = 'short' | 'long' | 'trial'

/** Maximum waiting queries of one client and of all: each holds its request. */
export const WAITING_PER_CLIENT_MAX = 1_024
export const WAITING_MAX = 16_384

/** Request of a query. */
export interface Asker {
  /** Client for rate limits. */
  readonly client: string
  /** True if an operator signed the request, which then waits only for requests of other operators. */
  readonly isOperator: boolean
  /** True once no request waits for the result. */
  readonly isOver: () => boolean
}

interface Turn {
  readonly client: string
  readonly isOver: () => boolean
  begin(): void
  refuse(error: LedgerError): void
}

/** Error for a request whose client has disconnected. */
export const requestEnded = (): LedgerError =>
  new LedgerError('request_timeout', 'the request ended before the node processed it')

/** Slots for one kind of query. */
class Places {
  private readonly all = new Turns(QUERIES_AT_ONCE)
  private readonly long = new Turns(LONG_AT_ONCE)
  private readonly trials = new Turns(TRIALS_AT_ONCE)

  take<T>(asker: Asker, ask: () => Promise<T>, place: QueryPlace): Promise<T> {
    const own = (): Promise<T> => this.all.take(asker, ask)
    switch (place) {
      case 'short':
        return own()
      case 'long':
        return this.long.take(asker, own)
      case 'trial':
        return this.trials.take(asker, ask)
    }
  }
}

export class QueryTurns {
  private readonly clients = new Places()
  private readonly operators = new Places()

  /** Run a query when the client has its turn; throws `rate_limited` if too many queries wait. */
  take<T>(asker: Asker, ask: () => Promise<T>, place: QueryPlace = 'short'): Promise<T> {
    return (asker.isOperator ? this.operators : this.clients).take(asker, ask, place)
  }
}

class Turns {
  /** Clients with a running query: each has one slot. */
  private readonly busy = new Set<string>()
  private readonly waiting = new FairQueue<string, Turn>({ total: WAITING_MAX, perParty: WAITING_PER_CLIENT_MAX })

  constructor(private readonly atOnce: number) {}

  async take<T>(asker: Asker, ask: () => Promise<T>): Promise<T> {
    const { client, isOver } = asker
    if (isOver()) throw requestEnded()
    if (this.busy.size >= this.atOnce || this.busy.has(client)) await this.turnOf(asker)
    else this.enter(client)
    try {
      return await ask()
    } finally {
      this.leave(client)
    }
  }

  private enter(client: string): void {
    this.busy.add(client)
    this.waiting.hold(client)
  }

  /** Resolves when the query has its slot. */
  private turnOf({ client, isOver }: Asker): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.waiting.push(client, { client, isOver, begin: resolve, refuse: reject })) {
        reject(new LedgerError('rate_limited', 'too many ledger reads are waiting'))
      }
    })
  }

  /**
   * Pass the slot of a finished query to the next client without a slot; all other waiting clients precede the next
   * query of this client.
   */
  private leave(client: string): void {
    this.busy.delete(client)
    this.waiting.release(client)
    for (let turn = this.waiting.take(); turn !== undefined; turn = this.waiting.take()) {
      if (turn.isOver()) {
        turn.refuse(requestEnded())
        continue
      }
      this.enter(turn.client)
      return turn.begin()
    }
  }
}
