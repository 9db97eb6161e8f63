/** Owns a thread that does one job after the other: it starts with the first, and keeps no process alive while it is idle. */
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads'
import { Turns } from '../base/turns.js'
import { listThread } from './threads.js'

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

/** Resource limits of a job thread. */
export interface JobLimits {
  /** Memory of the thread; it ends beyond that. */
  readonly memory?: ResourceLimits
  /** Time without an answer, in ms, after which the thread is ended. */
  readonly timeoutMs?: number
}

/** A thread that answered nothing within its time, and was ended. */
export class JobTimeout extends Error {}

/** Job thread. If it dies, its jobs are rejected, and the next job starts another one. */
export class JobThread<Q, R> {
  private readonly waiting = new Map<number, Waiting<R>>()
  private worker: Worker | undefined
  private nextId = 1
  private timer: NodeJS.Timeout | undefined

  /** `entry`: what the thread runs, which calls `serveJobs`; `name`: its name, which errors and metrics have. */
  constructor(
    private readonly entry: URL,
    private readonly name: string,
    private readonly limits: JobLimits = {},
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
      if (this.waiting.size === 1) this.watch(worker)
      worker.ref()
      worker.postMessage(request, transfer)
    })
  }

  /** End the thread; waiting jobs are rejected. */
  async close(): Promise<void> {
    const { worker } = this
    this.worker = undefined
    clearTimeout(this.timer)
    this.rejectAll(new Error(`the ${this.name} thread is closed`))
    await worker?.terminate()
  }

  private start(): Worker {
    const { memory } = this.limits
    const worker = new Worker(this.entry, { resourceLimits: memory })
    listThread(this.name, worker)
    worker.on('message', (response: JobResponse<R>) => this.settle(worker, response))
    worker.on('error', (error) => this.lose(worker, error))
    worker.on('exit', (code) => this.lose(worker, new Error(`it ended with code ${code}`)))
    return worker
  }

  /** Counts the time of a job from now on. */
  private watch(worker: Worker): void {
    const { timeoutMs } = this.limits
    clearTimeout(this.timer)
    if (timeoutMs === undefined) return
    this.timer = setTimeout(() => {
      this.lose(worker, new JobTimeout(`no response for ${timeoutMs} ms`))
      void worker.terminate()
    }, timeoutMs)
  }

  private settle(worker: Worker, response: JobResponse<R>): void {
    const entry = this.waiting.get(response.id)
    this.waiting.delete(response.id)
    clearTimeout(this.timer)
    if (this.waiting.size === 0) worker.unref()
    else this.watch(worker)
    if ('error' in response) entry?.reject(response.error)
    else entry?.resolve(response.result)
  }

  private lose(worker: Worker, cause: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    clearTimeout(this.timer)
    this.rejectAll(new Error(`the ${this.name} thread stopped: ${cause.message}`, { cause }))
  }

  private rejectAll(error: Error): void {
    const entries = [...this.waiting.values()]
    this.waiting.clear()
    for (const { reject } of entries) reject(error)
  }
}

/** Does the jobs of this thread in order of arrival, each in a turn of its own. Throws outside a thread. */
export function serveJobs<Q, R>(work: (job: Q) => R | Promise<R>): void {
  const port = parentPort
  if (port === null) throw new Error('a job thread must be started by its owner')
  const answer = async ({ id, job }: JobRequest<Q>): Promise<JobResponse<R>> => {
    try {
      return { id, result: await work(job) }
    } catch (error) {
      return { id, error: error instanceof Error ? error : new Error(String(error)) }
    }
  }
  const turns = new Turns({ job: { atOnce: 1 } })
  port.on('message', (request: JobRequest<Q>) => {
    void turns.take('job', async () => port.postMessage(await answer(request)))
  })
}
