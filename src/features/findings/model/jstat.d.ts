/** What is used of jstat, which brings no types. */
declare module 'jstat' {
  const jstat: {
    /** Regularised incomplete beta function I_x(a, b). */
    ibeta(x: number, a: number, b: number): number
    gammaln(x: number): number
    erfc(x: number): number
    erfcinv(p: number): number
  }
  export default jstat
}
