/** Owns the logger interface of the network layer. */

/** Logger methods that links use; compatible with pino. */
export interface LinkLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}
