/** Owns the Prometheus metrics of a sink. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, Gauge, Registry } from 'prom-client'
import { LedgerError } from '../model/errors.js'

/** Address of the metrics; only this machine, because requests are not authenticated. */
const HOST = '127.0.0.1'

/** The metrics of one sink. */
export class SinkMetrics {
  private readonly registry = new Registry()
  private readonly registers = [this.registry]
  private readonly height = new Gauge({
    name: 'sink_height',
    help: 'Height of the last block in the tables',
    registers: this.registers,
  })
  private readonly lag = new Gauge({
    name: 'sink_lag_blocks',
    help: 'Blocks of the chain that are not in the tables yet',
    registers: this.registers,
  })
  private readonly rows = new Counter({
    name: 'sink_rows_total',
    help: 'Rows added since this sink started',
    registers: this.registers,
  })
  private readonly up = new Gauge({
    name: 'sink_database_up',
    help: '1 while the database accepts writes',
    registers: this.registers,
  })
  private chainHeight = 0
  private ownHeight = 0

  /** Record the height of the chain. */
  chain(height: number): void {
    this.chainHeight = Math.max(this.chainHeight, height)
    this.lag.set(Math.max(0, this.chainHeight - this.ownHeight))
  }

  /** Record a written batch; a call without rows records that the tables are open. */
  written(height: number, rows: number): void {
    this.ownHeight = height
    this.height.set(height)
    this.rows.inc(rows)
    this.up.set(1)
    this.chain(height)
  }

  /** Record that the database does not respond. */
  down(): void {
    this.up.set(0)
  }

  text(): Promise<string> {
    return this.registry.metrics()
  }

  /**
   * Serve the metrics at /metrics of a port, or of any free port for 0. Returns the port and a function that stops the
   * server. Throws `address_in_use`.
   */
  async serve(port: number): Promise<{ readonly port: number; close(): Promise<void> }> {
    const server = createServer((request, response) => {
      if (request.url !== '/metrics') {
        response.writeHead(404).end()
        return
      }
      this.text().then(
        (text) => response.writeHead(200, { 'content-type': this.registry.contentType }).end(text),
        () => response.destroy(),
      )
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(new LedgerError('address_in_use', `${HOST}:${port}: ${error.message}`)))
      server.listen(port, HOST, resolve)
    })
    return {
      port: (server.address() as AddressInfo).port,
      close: () =>
        new Promise((resolve) => {
          server.closeAllConnections()
          server.close(() => resolve())
        }),
    }
  }
}
