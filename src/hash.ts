// A number of a text, for tables that look texts up by it.

/** 32 bits by FNV-1a, which is quick and spreads evenly; whoever makes texts collide gains nothing by it. */
export function hashText(text: string): number {
  let number = 0x811c9dc5
  for (let i = 0; i < text.length; i++) number = Math.imul(number ^ text.charCodeAt(i), 0x01000193)
  return (number ^ (number >>> 15)) >>> 0
}
