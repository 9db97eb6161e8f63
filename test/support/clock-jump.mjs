/** Owns a clock that jumps while a program runs: preloaded, its wall clock is off by what a file says, in ms. */
import { readFileSync } from 'node:fs'

const file = process.env.CLOCK_JUMP_FILE
const now = Date.now.bind(Date)
let byMs = 0
Date.now = () => now() + byMs
setInterval(() => {
  try {
    byMs = Number(readFileSync(file, 'utf8'))
  } catch {
    // No jump yet.
  }
}, 50).unref()
