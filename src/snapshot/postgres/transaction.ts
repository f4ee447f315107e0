// Transactions and savepoints of the driver `postgres`, made safe against a lost connection. If the callback of a
// transaction rejects, the driver sends ROLLBACK. On a lost connection, sending throws an error that nothing can catch
// (https://github.com/porsager/postgres/issues/1208). So if a callback fails because the connection is lost, its
// promise is replaced by one that never settles. The caller still gets an error: `begin` rejects when the socket is
// closed.
import type { TransactionSql } from 'postgres'
import type { Connection } from './connection.ts'
import { hasEndedSession } from './errors.ts'

/** Commits if `work` resolves, and rolls back if it rejects. */
export async function inTransaction<T>(
  connection: Connection,
  work: (transaction: TransactionSql) => Promise<T>,
): Promise<T> {
  // On a lost connection, `work` may also fail with another error, such as one of a COPY (copy.ts).
  const isLost = (error: unknown): boolean => hasEndedSession(error) || connection.isClosed
  return (await connection.sql.begin((transaction) => settleUnlessLost(isLost, work(transaction)))) as T
}

/**
 * If `work` rejects, undoes what it has done in the transaction, and rejects too. `work` must wait only for statements
 * of the savepoint: their error tells if the connection is lost, so `isClosed` need not be checked here.
 */
export async function inSavepoint<T>(
  transaction: TransactionSql,
  work: (savepoint: TransactionSql) => Promise<T>,
): Promise<T> {
  return (await transaction.savepoint((savepoint) => settleUnlessLost(hasEndedSession, work(savepoint)))) as T
}

/** Settles like `work`, except that it stays pending after an error that means a lost connection. */
async function settleUnlessLost<T>(isLost: (error: unknown) => boolean, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isLost(error)) throw error
    return new Promise<never>(() => {})
  }
}
