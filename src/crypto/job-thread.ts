/** Owns a thread that does one job after the other: it starts with the first, and keeps no process alive while it is idle. */
import { parentPort, Worker } from 'node:worker_threads'

/** A job as the thread gets it. */
interface JobRequest<Q> {
  readonly id: number
  readonly job: Q
}

/** The result as the channel clones it (a Buffer arrives as a Uint8Array), or the bug that kept it away. */
type JobResponse<R> = { readonly id: number; readonly result: R } | { readonly id: number; readonly error: Error }

interface Waiting<R> {
  resolve(result: R): void
  reject(error: Error): void
}

/** One that dies rejects what it held, and the next job starts another. */
export class JobThread<Q, R> {
  private readonly waiting = new Map<number, Waiting<R>>()
  private worker: Worker | undefined
  private nextId = 1

  /** `entry`: what the thread runs, which calls `serveJobs`; `name`: what errors call the thread. */
  constructor(
    private readonly entry: URL,
    private readonly name: string,
  ) {}

  /** True while there is a thread. */
  get hasThread(): boolean {
    return this.worker !== undefined
  }

  /** Jobs that are not answered yet. */
  get size(): number {
    return this.waiting.size
  }

  /** The result of a job; rejects when the thread dies, is closed, or has a bug. */
  run(job: Q, transfer: readonly ArrayBuffer[] = []): Promise<R> {
    this.worker ??= this.start()
    const { worker } = this
    return new Promise((resolve, reject) => {
      const request: JobRequest<Q> = { id: this.nextId, job }
      this.nextId += 1
      this.waiting.set(request.id, { resolve, reject })
      worker.ref()
      worker.postMessage(request, transfer)
    })
  }

  /** Ends the thread; what waits is rejected. */
  async close(): Promise<void> {
    const { worker } = this
    this.worker = undefined
    this.rejectAll(new Error(`the ${this.name} is closed`))
    await worker?.terminate()
  }

  private start(): Worker {
    const worker = new Worker(this.entry)
    worker.on('message', (response: JobResponse<R>) => this.settle(worker, response))
    worker.on('error', (error) => this.lose(worker, error))
    worker.on('exit', (code) => this.lose(worker, new Error(`it ended with code ${code}`)))
    return worker
  }

  private settle(worker: Worker, response: JobResponse<R>): void {
    const entry = this.waiting.get(response.id)
    this.waiting.delete(response.id)
    if (this.waiting.size === 0) worker.unref()
    if ('error' in response) entry?.reject(response.error)
    else entry?.resolve(response.result)
  }

  private lose(worker: Worker, cause: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    this.rejectAll(new Error(`the ${this.name} stopped: ${cause.message}`, { cause }))
  }

  private rejectAll(error: Error): void {
    const entries = [...this.waiting.values()]
    this.waiting.clear()
    for (const { reject } of entries) reject(error)
  }
}

/** Does the jobs of this thread, in order of arrival. Throws outside a thread. */
export function serveJobs<Q, R>(work: (job: Q) => R): void {
  const port = parentPort
  if (port === null) throw new Error('a thread of jobs is started by its owner')
  const answer = ({ id, job }: JobRequest<Q>): JobResponse<R> => {
    try {
      return { id, result: work(job) }
    } catch (error) {
      return { id, error: error instanceof Error ? error : new Error(String(error)) }
    }
  }
  port.on('message', (request: JobRequest<Q>) => port.postMessage(answer(request)))
}
