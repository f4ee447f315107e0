// A Fastify server that searches the database of postgres-search.ts, which starts this file as a process. Arguments:
// the URL of the database, and the path of the Fastify module, which is installed apart from the project. As in our
// API, `checkin_date` takes a year, and responses have the records in `resultadoBusqueda`.
import postgres from 'postgres'

const [, , databaseUrl = '', fastifyModule = ''] = process.argv
const sql = postgres(databaseUrl, { max: 10 })
const columns = sql`code, title, area, checkin_date, inscription_date, municipality, links`
/** At most three passages of about 200 characters, as in our lists. */
const headlineOptions = 'MaxFragments=3, MinWords=15, MaxWords=30'
const { default: fastify } = await import(fastifyModule)
const app = fastify()

app.get('/record/:code', async (request: { params: { code: string } }) => ({
  resultadoBusqueda: await sql`SELECT ${columns} FROM record WHERE code = ${request.params.code}`,
}))

app.get('/record', async (request: { query: Record<string, string> }) => {
  const { search, municipality, checkin_date: year, limit, include } = request.query
  const condition = sql`true
    ${search === undefined ? sql`` : sql`AND words @@ plainto_tsquery('spanish', ${search})`}
    ${municipality === undefined ? sql`` : sql`AND municipality = ${municipality}`}
    ${year === undefined ? sql`` : sql`AND year = ${year}`}`
  const page = sql`SELECT * FROM record WHERE ${condition} ORDER BY checkin_date DESC, code LIMIT ${Number(limit ?? 20)}`
  // Passages are cut for the records of the page only, which is faster than for all that match.
  const passages =
    include === 'passages' && search !== undefined
      ? sql`, ts_headline('spanish', content, plainto_tsquery('spanish', ${search}), ${headlineOptions}) AS passages`
      : sql``
  return { resultadoBusqueda: await sql`SELECT ${columns} ${passages} FROM (${page}) AS page` }
})

process.stdout.write(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
