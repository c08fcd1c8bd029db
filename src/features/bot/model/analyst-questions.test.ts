import { smallTables, told } from './small-tables.fixture'

const school = smallTables(
  {
    pupils: {
      rows: 60,
      headings: [
        ['Pupil no', 'key'],
        ['Pupil name', 'name'],
        ['Gender', 'kind', 'F', 'M'],
        ['Minor', 'kind', 'Music', 'History'],
        ['Credits', 'number'],
        ['Signup date', 'date'],
      ],
    },
    lessons: {
      rows: 400,
      headings: [
        ['Lesson no', 'key'],
        ['Pupil no', 'link'],
        ['Result', 'kind', 'total loss', 'pass'],
        ['Held', 'date'],
        ['Fee', 'number'],
      ],
    },
  },
  ['lessons.Pupil no > pupils.Pupil no'],
)
told('what analysts ask of a school', school, [
  [
    'Which pupils have more than 3 lessons? Show the number of lessons.',
    'Number of lessons, by pupil name of Pupils, number of lessons more than 3',
  ],
  ['List the names of the 5 pupils with the most credits', 'Pupils: pupil name, Credits, credits, descending, top 5'],
  ['Which pupils have 30 credits?', 'Pupils: pupil name, credits is 30'],
  ['Average fee for pupils who signed up in 2023', 'Average fee, 2023-01-01 – 2023-12-31'],
  ['What is the total loss fee by result?', 'refuse'],
  ['How many pupils have not declared a minor?', 'clarify'],
  ['Average credits of women and men', 'clarify'],
  ['How many lessons are held in the next 3 months?', 'Number of lessons, held is from 2024-06-01 to 2024-09-01'],
  ['How many pupils are there in total?', 'Number of pupils'],
])
