import { Text } from '@mantine/core'
import type { Ranking } from './ranking'
import classes from './insights.module.css'

/** The first names of an answer with their figures, in the room of a small picture. */
export function CardRanking({ ranking }: { ranking: Ranking }) {
  const { headers, rows, hiddenCount } = ranking
  return (
    <div style={{ marginTop: 'auto', paddingTop: 8 }}>
      <table className={classes.ranking}>
        {headers.length > 0 && (
          <thead>
            <tr>
              <td />
              {headers.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ name, cells }, line) => (
            <tr key={line}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td key={at} className="figure">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hiddenCount !== 0 && (
        <Text size="xs" c="dimmed">
          {hiddenCount === 'rest' ? 'and the rest' : `and ${hiddenCount} more`}
        </Text>
      )}
    </div>
  )
}
