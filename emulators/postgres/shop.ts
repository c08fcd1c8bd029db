/** Two years of orders of a made-up shop up to today, the same each time: customers and orders, with a key each. */
export const SHOP_TABLES = `
CREATE TABLE customers (
  id integer PRIMARY KEY, name varchar(60) NOT NULL, city varchar(40), segment varchar(20), updated_at timestamptz NOT NULL);
CREATE TABLE orders (
  id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers (id), placed_on date NOT NULL,
  status varchar(20) NOT NULL, channel varchar(20), amount numeric(12,2) NOT NULL, updated_at timestamptz NOT NULL);
INSERT INTO customers
SELECT n, 'Customer ' || n, (ARRAY['Stockholm', 'Göteborg', 'Malmö', 'Umeå', NULL])[1 + n % 5],
  (ARRAY['Retail', 'Wholesale', 'Online'])[1 + n % 3], now() - (n % 300) * INTERVAL '1 day'
FROM generate_series(1, 200) AS n;
INSERT INTO orders
SELECT n, 1 + (n * 7919) % 200, current_date - (5000 - n) * 730 / 5000,
  (ARRAY['paid', 'paid', 'paid', 'open', 'returned'])[1 + (n * 31) % 5], (ARRAY['Web', 'Shop', NULL])[1 + (n * 17) % 3],
  round((100 + (n * 104729) % 90000 / 100.0)::numeric, 2), (current_date - (5000 - n) * 730 / 5000)::timestamptz
FROM generate_series(1, 5000) AS n;
`
