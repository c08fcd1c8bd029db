/** Memory in KiB, passes, lanes of a password's hash: the least that OWASP recommends for argon2id; about 35 ms. */
export const PASSWORD_COST = { memorySize: 19_456, passes: 2, parallelism: 1 }
