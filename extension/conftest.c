int some_variable = 0;
