/**
 * Owns a thread that runs one job after the other: it starts with the first, and does not keep the process alive while
 * idle.
 */
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads'
import { Turns } from '../base/turns.js'
import { listThread } from './threads.js'

/** Job as the thread receives it. */
interface JobRequest<Q> {
  readonly id: number
  readonly job: Q
}

/** Cloned result (a Buffer arrives as a Uint8Array), or the error. */
type JobResponse<R> = { readonly id: number; readonly result: R } | { readonly id: number; readonly error: Error }

interface Waiting<R> {
  resolve(result: R): void
  reject(error: Error): void
}

/** Resource limits of a job thread. */
export interface JobLimits {
  /** Memory limit of the thread, beyond which it ends. */
  readonly memory?: ResourceLimits
  /** Time without a response after which the thread is ended, in ms. */
  readonly timeoutMs?: number
}

/** Error for a thread that was ended because it did not respond in time. */
export class JobTimeout extends Error {}

/** Job thread. If it dies, its jobs are rejected, and the next job starts another one. */
export class JobThread<Q, R> {
  private readonly waiting = new Map<number, Waiting<R>>()
  private worker: Worker | undefined
  private nextId = 1
  private timer: NodeJS.Timeout | undefined

  /** `entry`: module of the thread, which calls `serveJobs`; `name`: its name in errors and metrics. */
  constructor(
    private readonly entry: URL,
    private readonly name: string,
    private readonly limits: JobLimits = {},
  ) {}

  /** True while the thread runs. */
  get hasThread(): boolean {
    return this.worker !== undefined
  }

  /** Number of unfinished jobs. */
  get size(): number {
    return this.waiting.size
  }

  /** Run a job and return its result; rejects if the thread dies, is closed, or throws. */
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

  /** Start to measure the time of a job. */
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

/** Run the jobs of this thread in order of arrival, each in a separate turn. Throws outside a thread. */
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
