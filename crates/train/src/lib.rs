//! Teachers and nets: games played for data, the formats of teachers, and learning.
