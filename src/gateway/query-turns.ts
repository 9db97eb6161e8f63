/** Owns the turns of what requests ask the ledger: a few at a time in all, clients one after another, nothing that nobody waits for any more. */
import { FairQueue } from '../base/fair-queue.js'
import { LedgerError } from '../model/index.js'

/**
 * Queries of requests on the ledger thread at a time: each may hold it for some tens of milliseconds between two of its reads, and
 * a block to execute waits behind all of them.
 */
export const QUERIES_AT_ONCE = 4
/** Of these, queries that may hold it for tens of milliseconds without a pause. */
const LONG_AT_ONCE = 1
/** Queries that wait for their turn, of one client and of all: each is kept with its request. */
export const WAITING_PER_CLIENT_MAX = 1_024
export const WAITING_MAX = 16_384

/** A request, as far as its queries ask. */
export interface Asker {
  /** Whose limits it is counted by. */
  readonly client: string
  /** True once nobody waits for its answer. */
  readonly isOver: () => boolean
}

interface Turn {
  readonly isOver: () => boolean
  begin(): void
  refuse(error: LedgerError): void
}

/** What is not done for a request that nobody waits for any more. */
export const requestEnded = (): LedgerError =>
  new LedgerError('request_timeout', 'the request ended before the node worked on it')

export class QueryTurns {
  private readonly all = new Turns(QUERIES_AT_ONCE)
  private readonly long = new Turns(LONG_AT_ONCE)

  /** Asks when it is the turn of the client; throws `rate_limited` where too much waits already. */
  take<T>(asker: Asker, ask: () => Promise<T>, isLong = false): Promise<T> {
    const own = (): Promise<T> => this.all.take(asker, ask)
    return isLong ? this.long.take(asker, own) : own()
  }
}

class Turns {
  private running = 0
  private readonly waiting = new FairQueue<string, Turn>({ total: WAITING_MAX, perParty: WAITING_PER_CLIENT_MAX })

  constructor(private readonly atOnce: number) {}

  async take<T>({ client, isOver }: Asker, ask: () => Promise<T>): Promise<T> {
    if (isOver()) throw requestEnded()
    if (this.running < this.atOnce) this.running += 1
    else await this.turnOf(client, isOver)
    try {
      return await ask()
    } finally {
      this.next()
    }
  }

  /** Resolves when the place of a query that ended was given to this one. */
  private turnOf(client: string, isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.waiting.push(client, { isOver, begin: resolve, refuse: reject })) {
        reject(new LedgerError('rate_limited', 'too many reads of the ledger wait for their turn'))
      }
    })
  }

  /** Gives the place of a query that ended to the next client. */
  private next(): void {
    for (let turn = this.waiting.take(); turn !== undefined; turn = this.waiting.take()) {
      if (turn.isOver()) turn.refuse(requestEnded())
      else return turn.begin()
    }
    this.running -= 1
  }
}
