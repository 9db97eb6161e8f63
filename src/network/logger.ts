/** Owns the logger interface of the network layer. */

/** The part of a logger that links use; pino fits. */
export interface LinkLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}
