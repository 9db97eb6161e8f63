/** Owns what the network layer asks of a logger. */

/** The part of a logger that links use; pino fits. */
export interface LinkLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}
